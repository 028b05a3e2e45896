/** Explains 'Mark as Sold': only a live listing frees a slot. */
export const soldText = (label: string | undefined) =>
  label === 'live'
    ? 'confirm.soldText'
    : label === 'ended'
      ? 'confirm.soldEndedText'
      : 'confirm.soldWaitingText';
