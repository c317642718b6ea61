import {lines} from './lines.js'
import type {WhyReport} from '../../pipeline/why.js'
import type {Paint} from './paint.js'
import {plainText} from './plain-text.js'

/** Formats the reasons as text: each path on lines of its own, from the request down. */
export function formatWhy({package: name, tag, installs, reasons, notes}: WhyReport, paint: Paint): string {
  const head = `${paint('bold', plainText(`${name}:${tag}`))} would be installed as ${installs.map(each => plainText(each)).join(', ')}`
  const ways = reasons.flatMap(({steps}) => [
    '',
    ...steps.map(({need, package: met}, index) => {
      const verb = index === 0 ? 'requested' : `${'  '.repeat(index)}requires`
      return `  ${verb} ${plainText(need)}${need === met ? '' : `: ${plainText(met)}`}`
    }),
  ])
  const remarks = notes.length === 0 ? [] : ['', ...notes.map(note => `  ${plainText(note)}`)]
  return lines([head, ...ways, ...remarks])
}
