import { useEffect, useState } from 'react';

/** Balance as rendered, updated by `connect:balance` events. */
export function useBalance(first: number | undefined): number | undefined {
  const [balance, setBalance] = useState(first);
  useEffect(() => {
    const heard = (event: Event) => setBalance((event as CustomEvent<number>).detail);
    window.addEventListener('connect:balance', heard);
    return () => window.removeEventListener('connect:balance', heard);
  }, []);
  return balance;
}

/** Announces the new balance to the page. */
export const sayBalance = (balance: number): void =>
  void window.dispatchEvent(new CustomEvent('connect:balance', { detail: balance }));
