package vm

import "unsafe"

// markSet is a set of objects, by address: a bit for each 8 bytes of the regions of
// memory that they lie in. Objects never move, and those made together lie together,
// so few regions are touched, and none of the objects.
type markSet struct {
	last    uintptr // the region asked for last, one more than its number
	bits    *markBits
	regions []markRegion // open addressing, at most half full
	n       int
}

const (
	regionShift = 16 // log2 of a region's bytes
	regionWords = 1 << (regionShift - 3 - 6)
)

type markBits [regionWords]uint64

type markRegion struct {
	key  uintptr
	bits *markBits
}

// at finds the word that has the bit of an address; nil if its region has none.
func (s *markSet) at(p unsafe.Pointer) *uint64 {
	a := uintptr(p)
	if key := a>>regionShift + 1; key != s.last && !s.region(key) {
		return nil
	}
	return &s.bits[a>>9&(regionWords-1)]
}

func bitOfAddress(p unsafe.Pointer) uint64 { return 1 << (uintptr(p) >> 3 & 63) }

// region makes a region the last one, if it is known.
func (s *markSet) region(key uintptr) bool {
	if len(s.regions) == 0 {
		return false
	}
	r := &s.regions[s.slot(key)]
	if r.key == 0 {
		return false
	}
	s.last, s.bits = key, r.bits
	return true
}

// slot of a region, or the empty one where it belongs.
func (s *markSet) slot(key uintptr) int {
	mask := len(s.regions) - 1
	i := int(uint64(key)*0x9E3779B97F4A7C15>>32) & mask
	for s.regions[i].key != 0 && s.regions[i].key != key {
		i = (i + 1) & mask
	}
	return i
}

func (s *markSet) has(p unsafe.Pointer) bool {
	w := s.at(p)
	return w != nil && *w&bitOfAddress(p) != 0
}

// add reports whether the object is new.
func (s *markSet) add(p unsafe.Pointer) bool {
	w := s.at(p)
	if w == nil {
		s.open(uintptr(p)>>regionShift + 1)
		w = s.at(p)
	}
	b := bitOfAddress(p)
	if *w&b != 0 {
		return false
	}
	*w |= b
	return true
}

func (s *markSet) remove(p unsafe.Pointer) {
	if w := s.at(p); w != nil {
		*w &^= bitOfAddress(p)
	}
}

// open makes room for a region.
func (s *markSet) open(key uintptr) {
	if 2*s.n >= len(s.regions) {
		old := s.regions
		s.regions = make([]markRegion, max(16, 2*len(old)))
		for _, r := range old {
			if r.key != 0 {
				s.regions[s.slot(r.key)] = r
			}
		}
	}
	s.regions[s.slot(key)] = markRegion{key, &markBits{}}
	s.n++
}
