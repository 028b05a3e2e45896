import { useEffect, useState } from 'react';

/** What one has in credits, as the page was written and as every payment since has said (`connect:balance`). */
export function useBalance(first: number | undefined): number | undefined {
  const [balance, setBalance] = useState(first);
  useEffect(() => {
    const heard = (event: Event) => setBalance((event as CustomEvent<number>).detail);
    window.addEventListener('connect:balance', heard);
    return () => window.removeEventListener('connect:balance', heard);
  }, []);
  return balance;
}

/** Tells the page what is left. */
export const sayBalance = (balance: number): void =>
  void window.dispatchEvent(new CustomEvent('connect:balance', { detail: balance }));
