import {styleText} from 'node:util'

export type Paint = (style: 'red' | 'yellow' | 'bold', text: string) => string

/** Colours for stderr: on a terminal only, unless --color or NO_COLOR say otherwise (https://no-color.org). */
export function painter(argv: readonly string[] = process.argv): Paint {
  const choice = argv.find(word => word.startsWith('--color='))?.slice('--color='.length) ?? 'auto'
  const automatic = process.stderr.isTTY && (process.env.NO_COLOR ?? '') === ''
  const coloured = choice === 'always' || (choice === 'auto' && automatic)
  return (style, text) => (coloured ? styleText(style, text) : text)
}
