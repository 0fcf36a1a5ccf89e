package text

// MaxGrowth is maxGrowth.
const MaxGrowth = maxGrowth
