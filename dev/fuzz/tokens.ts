/** Secrets of Telegram and Prometheus for this run. */
export const fuzzTokens = {
  telegram: 'a-secret-that-telegram-was-told',
  metrics: 'a-word-that-prometheus-was-told',
  market: 'a key that signs nothing outside of this run',
};
