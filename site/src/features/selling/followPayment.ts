/** Most waits are over in a minute; later ones cost fewer requests. */
const soon = { ms: 3000, times: 20 };
const laterMs = 15_000;

/** Reloads the page of a payment that waits as soon as its state changes. */
export function followPayment(): void {
  const id = document.querySelector<HTMLElement>('[data-waits]')?.dataset.waits;
  if (!id) return;
  let asked = 0;
  const ask = async () => {
    asked += 1;
    try {
      if (!document.hidden) {
        const response = await fetch(`/api/payments/${id}`);
        const { status } = (await response.json()) as { status?: string };
        // The page says what a refusal means: signed out, or the payment is gone.
        if (response.status < 500 && response.status !== 429 && status !== 'pending')
          return location.reload();
      }
    } catch {
      // Without a connection it asks again.
    }
    setTimeout(ask, asked < soon.times ? soon.ms : laterMs);
  };
  setTimeout(ask, soon.ms);
}
