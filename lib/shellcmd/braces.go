package shellcmd

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxBraces = 64  // words that one with braces may come to
	maxOpened = 128 // braces in a word: to split it takes the square of their number
)

// braces gives the words that a word with {a,b} comes to.
func braces(word *syntax.Word) []*syntax.Word {
	if n := opened(word); n == 0 || n > maxOpened {
		return []*syntax.Word{word}
	}
	split := &syntax.Word{Parts: word.Parts}
	if !syntax.SplitBraces(split) {
		return []*syntax.Word{word}
	}
	if list := alternatives(split); len(list) < maxBraces {
		return list
	}
	return []*syntax.Word{word}
}

// opened counts the braces that may begin alternatives.
func opened(word *syntax.Word) (n int) {
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			n += strings.Count(lit.Value, "{")
		}
	}
	return n
}

func alternatives(word *syntax.Word) []*syntax.Word {
	list := []*syntax.Word{{}}
	for _, part := range word.Parts {
		endings := []*syntax.Word{{Parts: []syntax.WordPart{part}}}
		if b, ok := part.(*syntax.BraceExp); ok {
			endings = endings[:0]
			if b.Sequence {
				endings = append(endings, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: unknown}}})
			} else {
				for _, elem := range b.Elems {
					endings = append(endings, alternatives(elem)...)
				}
			}
		}
		if len(list)*len(endings) >= maxBraces {
			return make([]*syntax.Word, maxBraces)
		}
		next := make([]*syntax.Word, 0, len(list)*len(endings))
		for _, start := range list {
			for _, end := range endings {
				parts := append(start.Parts[:len(start.Parts):len(start.Parts)], end.Parts...)
				next = append(next, &syntax.Word{Parts: parts})
			}
		}
		list = next
	}
	return list
}
