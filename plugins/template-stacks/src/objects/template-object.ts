import type {FieldPath, JsonObject} from 'kubectl-crossplane/plugin'

/** Where templates wrote an object. */
export interface ObjectPlace {
  /** The file as users know it: `helm-chart/templates/app.yaml`. */
  readonly file: string
  /** The document within the file, from 1. */
  readonly document: number
  /** The line of the template, if it is known, from 1. */
  readonly line?: number
}

/** An object that templates made: with texts as `apiVersion`, `kind` and `metadata.name`. */
export interface TemplateObject {
  readonly object: JsonObject
  readonly place: ObjectPlace
  /** Finds the line of a template that wrote a field; undefined if it is not known. */
  readonly writtenAt: (path: FieldPath) => TemplateLine | undefined
}

/** A line of a template, from 1; of a partial, if that wrote it. */
export interface TemplateLine {
  readonly file: string
  readonly line: number
}

/** A place for messages: `templates/app.yaml:12`. */
export function placeText({file, line}: ObjectPlace): string {
  return line === undefined ? file : `${file}:${line}`
}
