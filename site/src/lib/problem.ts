/**
 * What 'Report this issue' writes: to the console of this browser, and nowhere else (product §10). Nobody's name is in it.
 * @param stack where it happened, as far as the browser knows
 */
export function writeProblem({ message, stack }: { message: string; stack: string }): void {
  const { userAgent } = navigator;
  console.error({
    message,
    stack,
    userAgent,
    url: location.href,
    timestamp: new Date().toISOString(),
    userId: '',
  });
}
