// Start-up only: what the timings of the other programs are reduced by.
