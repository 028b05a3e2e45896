/** Explanation of 'Mark as Sold' by the listing's label: only a live one frees a slot. */
export const soldText = (label: string | undefined) =>
  label === 'live'
    ? 'confirm.soldText'
    : label === 'ended'
      ? 'confirm.soldEndedText'
      : 'confirm.soldWaitingText';
