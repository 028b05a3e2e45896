/** A browser's cookies: keeps what answers set, and drops expired ones. */
export class Jar {
  readonly #cookies = new Map<string, string>();

  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const at = pair.indexOf('=');
      const name = pair.slice(0, at);
      const value = pair.slice(at + 1);
      const over = value === '' || attributes.some((attribute) => /^max-age=0$/i.test(attribute));
      if (over) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  has(name: string): boolean {
    return [...this.#cookies.keys()].some((known) => known === name || known.endsWith(`.${name}`));
  }

  copy(): Jar {
    const copy = new Jar();
    for (const [name, value] of this.#cookies) copy.#cookies.set(name, value);
    return copy;
  }
}
