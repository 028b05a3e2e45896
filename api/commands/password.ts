/**
 * Asks without echo, or reads a line if standard input is no terminal. Throws on Ctrl-C or Ctrl-D.
 */
export async function askPassword(question: string): Promise<string> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return prompt(question) ?? '';
  // Before the question, so early typing is not shown either.
  stdin.setRawMode(true);
  stdout.write(`${question} `);
  stdin.setEncoding('utf8');
  stdin.resume();
  try {
    return await typed(stdin);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write('\n');
  }
}

function typed(stdin: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let word: string[] = [];
    const ends = new Map([
      ['\r', () => resolve(word.join(''))],
      ['\n', () => resolve(word.join(''))],
      ['\u0003', () => reject(new Error('No password was given.'))],
      ['\u0004', () => reject(new Error('No password was given.'))],
    ]);
    function read(text: string): void {
      for (const key of text) {
        const end = ends.get(key);
        if (end) {
          stdin.off('data', read);
          end();
          return;
        }
        if (key === '\u007f' || key === '\b') word.pop();
        else if (key === '\u0015') word = [];
        else word.push(key);
      }
    }
    stdin.on('data', read);
  });
}
