package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const pets = "/// Pets.\n\n/// A pet.\npub struct Pet { name: str }\n\n/// Feeds it.\npub fn feed(pet: Pet) {}\n"

func TestDocShowsNames(t *testing.T) {
	files := map[string]string{"pets.rnl": pets}
	for _, c := range []struct {
		args []string
		text string
	}{
		{nil, "Library\n  actor "},
		{[]string{"list.push"}, "fn [T].push(x: T)"},
		{[]string{"http"}, "http  (module, import http)\n"},
		{[]string{"get"}, "map.get "},
		{[]string{"pets.rnl"}, "pets  (module, import \"./pets\")\n\n  Pets.\n\nTypes\n  struct Pet\n      A pet.\n"},
		{[]string{"./pets.rnl", "feed"}, "pets.feed  (function, import \"./pets\")\n\n  fn feed(pet: Pet)\n\n  Feeds it.\n"},
	} {
		o := invoke(t, files, "", append([]string{"doc"}, c.args...)...)
		assert.Zero(t, o.exit, o.stderr)
		assert.Contains(t, o.stdout, c.text)
	}
}

func TestDocIsColouredWhenAsked(t *testing.T) {
	assert.Contains(t, invoke(t, nil, "", "doc", "--color=always", "str.trim").stdout, "\x1b[35mfn\x1b[0m \x1b[36mstr\x1b[0m.trim() -> \x1b[36mstr")
	assert.NotContains(t, invoke(t, nil, "", "doc", "str.trim").stdout, "\x1b")
}

func TestDocOfAFolder(t *testing.T) {
	files := map[string]string{
		"zoo/pets.rnl":  pets,
		"zoo/cages.rnl": "/// Where [Cage] is, with what is in `pets.Pet`.\nimport \"./pets\"\n\n/// For a [Cage].\npub struct Cage { pet: pets.Pet }\nstruct Lock {}\n",
		"zoo/main.rnl":  "import \"./pets\"\nprint(pets.Pet(\"rex\"))\n",
	}
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "zoo"), 0o700))
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	o := in(t, dir, "", "doc", "./zoo")
	assert.Zero(t, o.exit, o.stderr)
	assert.Equal(t, "Your modules\n  cages       Where [Cage] is, with what is in `pets.Pet`.\n  pets        Pets.\n", o.stdout)
	o = in(t, dir, "", "doc", ".", "pets.feed")
	assert.Contains(t, o.stdout, "Feeds it.")
	o = in(t, dir, "", "doc", "./zoo", "Lock")
	assert.Contains(t, o.stderr, "nothing is called `Lock`")
}

func TestDocShowsAFileByItsWholePath(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "pets.rnl")
	require.NoError(t, os.WriteFile(file, []byte(pets), 0o600))
	o := in(t, t.TempDir(), "", "doc", file)
	assert.Contains(t, o.stdout, "struct Pet")
}

func TestDocWritesFolders(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "pets.rnl"), []byte(pets), 0o600))
	require.Equal(t, outcome{}, in(t, dir, "", "doc", "--html", "site", "--markdown=text", "pets.rnl"))
	for _, name := range []string{"site/index.html", "site/pets.html", "site/list.html", "site/style.css", "site/search.js", "site/names.js", "text/README.md", "text/pets.md"} {
		assert.FileExists(t, filepath.Join(dir, name))
	}
}

func TestDocTellsWhatIsWrong(t *testing.T) {
	files := map[string]string{"broken.rnl": "pub fn f( {}\n"}
	for text, args := range map[string][]string{
		"nothing is called `htpt`: did you mean `http`?": {"doc", "htpt"},
		"doc shows one name at a time":                   {"doc", "list", "map"},
		"list is not a file":                             {"doc", "--html", "site", "list"},
		"there is no file `missing.rnl`":                 {"doc", "missing.rnl"},
		"error[E01":                                      {"doc", "broken.rnl"},
		"unknown flag --pdf":                             {"doc", "--pdf"},
	} {
		o := invoke(t, files, "", args...)
		assert.Equal(t, exitUsage, o.exit, args)
		assert.Contains(t, o.stderr, text)
	}
}
