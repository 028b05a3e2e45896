/** Writes a problem report to the browser's console only (product §10), without naming the user. */
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
