package lineedit

import (
	"strings"
	"time"
	"unicode/utf8"
)

// key is a character, a control character, or one of these.
type key rune

const (
	keyNone key = -iota - 1 // nothing that is known
	keyEscape
	keyLeft
	keyRight
	keyUp
	keyDown
	keyHome
	keyEnd
	keyDelete
	keyWordLeft
	keyWordRight
	keyDeleteWord
	keyDeleteWordBack
	keyOlder // entries of the history
	keyNewer
	keyNewline
	keyPaste // with the text pasted
)

const (
	keyBackspace key = 127
	keyEnter     key = '\r'
)

// ctrl is the key of a letter with Ctrl.
func ctrl(letter rune) key { return key(letter & 0x1f) }

// sequences are what terminals send for keys, after ESC.
var sequences = map[string]key{
	"[A": keyUp, "[B": keyDown, "[C": keyRight, "[D": keyLeft, "[H": keyHome, "[F": keyEnd,
	"OA": keyUp, "OB": keyDown, "OC": keyRight, "OD": keyLeft, "OH": keyHome, "OF": keyEnd, "OM": keyEnter,
	"[1~": keyHome, "[7~": keyHome, "[4~": keyEnd, "[8~": keyEnd, "[3~": keyDelete,
	"[5~": keyOlder, "[6~": keyNewer, "[1;5A": keyOlder, "[1;5B": keyNewer, "[1;3A": keyOlder, "[1;3B": keyNewer,
	"[1;5C": keyWordRight, "[1;5D": keyWordLeft, "[1;3C": keyWordRight, "[1;3D": keyWordLeft,
	"[3;5~": keyDeleteWord, "[3;3~": keyDeleteWord,
	"[13;2u": keyNewline, "[27;2;13~": keyNewline,
	"[200~": keyPaste,
	"b":     keyWordLeft, "f": keyWordRight, "d": keyDeleteWord, "\x7f": keyDeleteWordBack, "\b": keyDeleteWordBack,
	"\r": keyNewline, "\n": keyNewline,
}

// escapeDelay tells the key Esc from a sequence that begins with its byte.
const escapeDelay = 50 * time.Millisecond

// maxSequence is more than sequences of keys have.
const maxSequence = 32

const pasteEnd = "\x1b[201~"

// decoder makes keys of the bytes that a terminal sends.
type decoder struct {
	next    func() (byte, error)
	follows func(time.Duration) bool
}

// key returns the next key; a pasted text comes with it.
func (d *decoder) key() (k key, pasted string, err error) {
	b, err := d.next()
	switch {
	case err != nil:
		return keyNone, "", err
	case b == 0x1b:
		return d.escape()
	case b < utf8.RuneSelf:
		return key(b), "", nil
	}
	r, err := d.rune(b)
	return r, "", err
}

// rune decodes a character of several bytes; one that is broken is not a key.
func (d *decoder) rune(first byte) (key, error) {
	char := []byte{first}
	for !utf8.FullRune(char) {
		b, err := d.next()
		if err != nil {
			return keyNone, err
		}
		char = append(char, b)
	}
	if r, _ := utf8.DecodeRune(char); r != utf8.RuneError {
		return key(r), nil
	}
	return keyNone, nil
}

func (d *decoder) escape() (key, string, error) {
	if !d.follows(escapeDelay) {
		return keyEscape, "", nil
	}
	seq, err := d.sequence()
	if err != nil {
		return keyNone, "", err
	}
	k, ok := sequences[seq]
	switch {
	case !ok:
		return keyNone, "", nil
	case k == keyPaste:
		text, err := d.paste()
		return keyPaste, text, err
	}
	return k, "", nil
}

// sequence reads what follows ESC, up to the byte that ends it.
func (d *decoder) sequence() (string, error) {
	var seq []byte
	for len(seq) < maxSequence {
		b, err := d.next()
		if err != nil {
			return "", err
		}
		if b == 0x1b { // the last one was the key Esc, or broke off
			seq = seq[:0]
			continue
		}
		seq = append(seq, b)
		introduced := len(seq) == 1 && (b == '[' || b == 'O')
		parameter := seq[0] == '[' && len(seq) > 1 && b < 0x40
		if !introduced && !parameter {
			break
		}
	}
	return string(seq), nil
}

// paste reads up to the mark that ends a paste. Line ends become \n.
func (d *decoder) paste() (string, error) {
	var text []byte
	for {
		b, err := d.next()
		if err != nil {
			return "", err
		}
		if text = append(text, b); b == '~' && strings.HasSuffix(string(text[max(0, len(text)-len(pasteEnd)):]), pasteEnd) {
			return cleaned(string(text[:len(text)-len(pasteEnd)])), nil
		}
	}
}

// cleaned makes a text from elsewhere one that can be edited.
func cleaned(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(text, ""))
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}
