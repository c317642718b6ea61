import {asText, formatPath, lines, nameOf, objectText, plainText, writeJson} from 'kubectl-crossplane/plugin'
import type {CustomResource} from '../custom-resource.js'
import type {ExplainedField, ExplainedResource} from './explain-resource.js'

const MAX_VALUE = 60

/** Formats what set each field of the objects, a line each, for users. */
export function formatExplanation(explained: readonly ExplainedResource[]): string {
  return lines(explained.flatMap(resourceLines))
}

function resourceLines({resource, objects, unread}: ExplainedResource): readonly string[] {
  return [
    `${resourceText(resource)}:`,
    ...objects.flatMap(({object, fields}) => [
      `  ${plainText(`${objectText(nameOf(object))} (${object.apiVersion})`)}`,
      ...fields.filter(({byController}) => !byController).map(field => `    ${fieldText(field)}`),
      ...controllerLine(fields),
    ]),
    unread.length === 0
      ? '  All fields of spec are read.'
      : `  Fields of spec that nothing reads: ${plainText(unread.join(', '))}`,
  ]
}

function resourceText({object, name, namespace}: CustomResource): string {
  return plainText(objectText({kind: asText(object.kind), name, namespace}))
}

function fieldText({path, value, template, from}: ExplainedField): string {
  const text = `${plainText(formatPath(path))}: ${plainText(writeJson(value).trim(), MAX_VALUE)}`
  const place = template === undefined ? '' : `${template.file}:${template.line}`
  const origins = from.map(({field, origin}) => `${field} (${origin})`).join(', ')
  const source = [place, origins].filter(part => part !== '').join(', from ')
  return source === '' ? text : `${text}  # ${plainText(source)}`
}

function controllerLine(fields: readonly ExplainedField[]): readonly string[] {
  const own = fields.filter(({byController}) => byController).map(({path}) => formatPath(path.slice(0, 2)))
  return own.length === 0 ? [] : [`    by the controller: ${[...new Set(own)].join(', ')}`]
}
