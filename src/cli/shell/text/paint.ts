import {styleText} from 'node:util'

export type Paint = (style: 'red' | 'yellow' | 'bold', text: string) => string

/** Colors for a stream: on a terminal only, unless --color or NO_COLOR say otherwise (https://no-color.org). */
export function painter(argv: readonly string[], stream: 'stderr' | 'stdout' = 'stderr'): Paint {
  const choice = choiceIn(argv)
  const automatic = process[stream].isTTY && (process.env.NO_COLOR ?? '') === ''
  const colored = choice === 'always' || (choice !== 'never' && automatic)
  // styleText would otherwise decide by itself, for stdout.
  return (style, text) => (colored ? styleText(style, text, {validateStream: false}) : text)
}

const FLAG = '--color'

/** From the words themselves: a command line that cannot be parsed has an error to paint, too. */
function choiceIn(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex(word => word === FLAG || word.startsWith(`${FLAG}=`))
  return argv[at] === FLAG ? argv[at + 1] : argv[at]?.slice(FLAG.length + 1)
}
