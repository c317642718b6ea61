import type {Fault} from '../errors.js'

/** `file:line: message [rule]`, as compilers write it. */
export function formatFault({file, line, message, rule}: Fault): string {
  const place = file === undefined ? '' : `${file}${line === undefined ? '' : `:${line}`}: `
  return `${place}${message} [${rule}]`
}
