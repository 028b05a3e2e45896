/** The sentence of what 'Mark as Sold' does to a listing in a state of its page: only a live one has a slot to give up. */
export const soldText = (label: string | undefined) =>
  label === 'live'
    ? 'confirm.soldText'
    : label === 'ended'
      ? 'confirm.soldEndedText'
      : 'confirm.soldWaitingText';
