import type {Paint} from './paint.js'
import {plainText} from './plain-text.js'

/** A part of text output: a heading and its lines. */
export interface Section {
  readonly title: string
  readonly lines: readonly string[]
}

/** Sections, an empty line between two. */
export function formatSections(sections: readonly Section[], paint: Paint): string {
  return sections
    .map(({title, lines}) => [paint('bold', plainText(title)), ...lines].map(line => `${line}\n`).join(''))
    .join('\n')
}
