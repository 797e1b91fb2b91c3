package text

import (
	"testing"

	"gotest.tools/v3/assert"
)

func TestLower(t *testing.T) {
	assert.Equal(t, Lower("ÀB_İ"), "àb_i\u0307")
	assert.Equal(t, LowerASCII("ÀBſ"), "Àbſ")
	assert.Equal(t, LowerASCII("plain"), "plain")
}

func TestSpace(t *testing.T) {
	for r, want := range map[rune]bool{
		' ': true, '\t': true, '\v': true, '\r': true, 0xA0: true, 0x1680: true, 0x2003: true, 0x2028: true, 0x3000: true, 0xFEFF: true,
		0x85: false, 0x200B: false, 'x': false, 0x1F: false,
	} {
		assert.Equal(t, IsSpace(r), want, "%U", r)
	}
	assert.Equal(t, Trim("\ufeff\n a b \u00a0"), "a b")
	assert.Equal(t, SpaceLen("\u00a0 x"), 3)
	assert.Equal(t, SpaceLen(" "), 1)
}

func TestUnits(t *testing.T) {
	assert.Equal(t, Units("aé😀"), 4)
	assert.Equal(t, Cut("aé😀b", 4), "aé😀")
	assert.Equal(t, Cut("aé😀b", 3), "aé", "no half characters")
	assert.Equal(t, Cut("ab", 5), "ab")
	assert.Equal(t, Cut("ab", 0), "")
}

func TestPhrase(t *testing.T) {
	next := Phrase{Words: []string{"next", "phase"}}
	hand := Phrase{Words: []string{"hand", "off"}, Glued: true}
	gate := Phrase{Words: []string{"gate"}}
	for _, test := range []struct {
		phrase Phrase
		text   string
		whole  bool
		at     int
	}{
		{next, "the next \n phase", false, 4},
		{next, "nextphase", false, -1},
		{next, "next next phase", false, 5},
		{next, "next", false, -1},
		{hand, "handoff", false, 0},
		{hand, "hand  off", false, 0},
		{hand, "hand-off", false, -1},
		{gate, "investigate", false, 7},
		{gate, "investigate", true, -1},
		{gate, "investigate the gate", true, 16},
		{gate, "_gate 1gate égate -gate", true, 20},
	} {
		assert.Equal(t, test.phrase.Find(test.text, test.whole), test.at, test.text)
	}
}
