import {lines} from './lines.js'
import type {WhyReport} from '../../pipeline/why.js'
import type {Paint} from './paint.js'
import {plainText} from './plain-text.js'

/** The reasons for people: each way on lines of its own, from what was asked for down. */
export function formatWhy({package: name, tag, installs, reasons, notes}: WhyReport, paint: Paint): string {
  const head = `${paint('bold', plainText(`${name}:${tag}`))} would be installed as ${installs.map(each => plainText(each)).join(', ')}`
  const ways = reasons.flatMap(({steps}) => [
    '',
    ...steps.map(({need, package: met}, index) => {
      const asked = index === 0 ? 'you asked for' : `${'  '.repeat(index)}needs`
      return `  ${asked} ${plainText(need)}${need === met ? '' : `: ${plainText(met)}`}`
    }),
  ])
  const remarks = notes.length === 0 ? [] : ['', ...notes.map(note => `  ${plainText(note)}`)]
  return lines([head, ...ways, ...remarks])
}
