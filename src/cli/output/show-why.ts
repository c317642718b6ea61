import {lines} from './lines.js'
import type {WhyReport} from '../../pipeline/why.js'
import type {Paint} from './paint.js'
import {plainText} from './plain-text.js'

/** Formats the reasons as text: each path on lines of its own, from the request down. */
export function formatWhy(
  {package: name, tag, installs, reasons, notes}: WhyReport,
  paint: Paint,
  verb: 'would be installed' | 'is installed' = 'would be installed',
): string {
  const head = `${paint('bold', plainText(`${name}:${tag}`))} ${verb} as ${installs.map(install => plainText(install)).join(', ')}`
  const ways = reasons.flatMap(({steps}) => [
    '',
    ...steps.map(({need, package: met}, index) => {
      const step = index === 0 ? 'requested' : `${'  '.repeat(index)}requires`
      return `  ${step} ${plainText(need)}${need === met ? '' : `: ${plainText(met)}`}`
    }),
  ])
  const remarks = notes.length === 0 ? [] : ['', ...notes.map(note => `  ${plainText(note)}`)]
  return lines([head, ...ways, ...remarks])
}
