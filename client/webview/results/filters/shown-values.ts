/** Characters of a cell that the host sends whole; longer ones come cut (`shownCharsMax` of the store). */
export const cutCharsMin = 400;
