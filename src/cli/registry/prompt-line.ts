import {CrossplaneError} from '../../errors.js'

/** A terminal for input, as `process.stdin` is. */
export interface Terminal extends AsyncIterable<unknown> {
  readonly isTTY?: boolean
  setRawMode?(isRaw: boolean): unknown
  on(event: 'data', listener: (chunk: Buffer) => void): unknown
  on(event: 'end', listener: () => void): unknown
  off(event: 'data', listener: (chunk: Buffer) => void): unknown
  off(event: 'end', listener: () => void): unknown
  resume(): unknown
  pause(): unknown
}

const MAX_CHARACTERS = 64 * 1024

/**
 * Prompts for one line. The terminal is in raw mode until then, so that it does not echo a password; the prompt goes to
 * `output`, which is stderr. Ctrl-C interrupts the process. Throws `usage` where input ends before the line does.
 */
export async function promptLine(
  label: string,
  isEchoed: boolean,
  input: Terminal,
  output: {write(text: string): unknown},
): Promise<string> {
  output.write(label)
  input.setRawMode?.(true)
  try {
    return await lineOf(input, text => isEchoed && output.write(text))
  } finally {
    input.setRawMode?.(false)
    input.pause()
    output.write('\n')
  }
}

function lineOf(input: Terminal, echo: (text: string) => unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    let line: readonly string[] = []
    const end = (act: () => void) => {
      input.off('data', onData)
      input.off('end', onEnd)
      act()
    }
    const onEnd = () => end(() => reject(ended()))
    const onData = (chunk: Buffer) => {
      for (const character of chunk.toString()) {
        if (character === '\r' || character === '\n') return end(() => resolve(line.join('')))
        if (character === CTRL_C) {
          process.kill(process.pid, 'SIGINT')
          return onEnd()
        }
        if (character === CTRL_D || line.length === MAX_CHARACTERS) return onEnd()
        line = edited(line, character, echo)
      }
    }
    input.on('data', onData)
    input.on('end', onEnd)
    input.resume()
  })
}

const [CTRL_C, CTRL_D, CTRL_U, BACKSPACE, DELETE] = ['\x03', '\x04', '\x15', '\b', '\x7f']

function edited(
  line: readonly string[],
  character: string,
  echo: (text: string) => unknown,
): readonly string[] {
  if (character === BACKSPACE || character === DELETE) {
    if (line.length > 0) echo('\b \b')
    return line.slice(0, -1)
  }
  if (character === CTRL_U) {
    echo('\b \b'.repeat(line.length))
    return []
  }
  echo(character)
  return [...line, character]
}

function ended(): CrossplaneError {
  return new CrossplaneError('usage', 'the prompt was closed without an answer', {
    suggestions: ['Run the command again, or use --password-stdin.'],
  })
}
