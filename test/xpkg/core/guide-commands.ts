import {readFileSync} from 'node:fs'

/** A command of a guide, without the name of the program, and what the guide shows of its output. */
interface GuideCommand {
  readonly words: readonly string[]
  readonly output: string
}

const PROGRAM = 'kubectl crossplane package '
const BLOCK = /^( *)```(sh)?\n(.*?)^ *```$/gms

/** Returns the commands of `package` in a section of a guide, in their order; a registry takes the place of the one of the guide. */
export function guideCommands(page: string, section: string, host: string): readonly GuideCommand[] {
  const text = readFileSync(page, 'utf8')
    .split('\n## ')
    .find(part => part.startsWith(`${section}\n`))
  const commands: GuideCommand[] = []
  for (const [, indent = '', language, content = ''] of (text ?? '').matchAll(BLOCK)) {
    const lines = content.split('\n').map(line => line.replace(indent, '').trimEnd())
    if (language === 'sh')
      commands.push(
        ...lines
          .filter(line => line.startsWith(PROGRAM))
          .map(line => ({
            words: line.slice(PROGRAM.length).replaceAll(REGISTRY, host).split(' '),
            output: '',
          })),
      )
    else commands.push({words: [], ...commands.pop(), output: readable(lines.join('\n'), host)})
  }
  return commands
}

const REGISTRY = 'registry.example.org'

/** Returns an output as a guide can show it: the registry, widths of columns and numbers of custom resources differ. */
export function readable(output: string, host: string): string {
  return output
    .replaceAll(host, REGISTRY)
    .replaceAll(/\d+ custom resources?/g, 'N custom resources')
    .replaceAll(/ {2,}/g, '  ')
    .trim()
}
