/** Chooses the network of a typed number in a form that has both, unless the person chose one. */
export function suggestNetwork(): void {
  const number = document.querySelector<HTMLInputElement>('input[name="phone"]');
  const network = document.querySelector<HTMLSelectElement>('select[name="network"]');
  if (!number || !network) return;
  let asked = '';
  let isOwn = false;
  network.addEventListener('change', () => {
    isOwn = network.value !== '';
  });
  const suggest = async () => {
    if (isOwn || number.value === asked || number.value.replace(/\D/g, '').length < 9) return;
    asked = number.value;
    try {
      const response = await fetch('/api/payments/network', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ number: asked }),
      });
      const { network: found } = (await response.json()) as { network?: string | null };
      if (!isOwn && number.value === asked) network.value = found ?? '';
    } catch {
      // The server asks again when the form is sent.
    }
  };
  // The suggestion was for another number.
  number.addEventListener('input', () => {
    if (!isOwn) network.value = '';
  });
  number.addEventListener('change', suggest);
  void suggest();
}
