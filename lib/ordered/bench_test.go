package ordered

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// sampleState is a state document of about the given size: a long usage log, as
// real ones have, with the fields that hooks want in front and behind.
func sampleState(size int) []byte {
	var b bytes.Buffer
	b.WriteString("{\n  \"state_version\": 7,\n  \"active_workflow\": {\n    \"type\": \"feature\",\n    \"current_phase\": \"06-implementation\"\n  },\n  \"skill_usage_log\": [")
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n    {\n      \"timestamp\": \"2026-02-20T08:22:22.%03dZ\",\n      \"agent\": \"software-developer\",\n      \"n\": %d.50,\n      \"description\": %q\n    }",
			i%1000, i, strings.Repeat("carry out the work ", 1+i%7))
	}
	b.WriteString("\n  ],\n  \"phases\": {\n    \"06-implementation\": {\n      \"status\": \"in_progress\"\n    }\n  }\n}")
	return b.Bytes()
}

func eachSize(b *testing.B, f func(b *testing.B, data []byte)) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"10kB", 10 << 10}, {"100kB", 100 << 10}, {"1MB", 1 << 20}, {"10MB", 10 << 20}} {
		data := sampleState(size.bytes)
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			f(b, data)
		})
	}
}

func BenchmarkReadThreeFields(b *testing.B) {
	eachSize(b, func(b *testing.B, data []byte) {
		for b.Loop() {
			v, err := Parse(data)
			if err != nil || v.Get("active_workflow", "current_phase").Text() == "" ||
				v.Get("state_version").Literal() == "" || v.Get("phases", "06-implementation", "status").Text() == "" {
				b.Fatal("a field is missing", err)
			}
		}
	})
}

func BenchmarkUpdateOneField(b *testing.B) {
	eachSize(b, func(b *testing.B, data []byte) {
		for b.Loop() {
			v, err := Parse(data)
			if err != nil {
				b.Fatal(err)
			}
			v.Get("phases", "06-implementation").Set("status", "completed")
			if len(v.Indent()) == 0 {
				b.Fatal("nothing was written")
			}
		}
	})
}

func BenchmarkWalkEverything(b *testing.B) {
	eachSize(b, func(b *testing.B, data []byte) {
		for b.Loop() {
			v, err := Parse(data)
			if err != nil {
				b.Fatal(err)
			}
			n := 0
			for _, entry := range v.Get("skill_usage_log").Items() {
				n += len(entry.Get("agent").Text())
			}
			if n == 0 {
				b.Fatal("nothing was read")
			}
		}
	})
}

// A document that somebody else wrote, without a line end, is laid out anew.
func BenchmarkUpdateCompact(b *testing.B) {
	eachSize(b, func(b *testing.B, data []byte) {
		v, err := Parse(data)
		if err != nil {
			b.Fatal(err)
		}
		compact := v.Compact()
		for b.Loop() {
			v, err := Parse(compact)
			if err != nil {
				b.Fatal(err)
			}
			v.Get("phases", "06-implementation").Set("status", "completed")
			if len(v.Indent()) < len(compact)+len(compact)/10 {
				b.Fatal("it was not laid out")
			}
		}
	})
}
