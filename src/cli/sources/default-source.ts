import {CrossplaneError} from '../../errors.js'
import {quoted} from '../../text.js'
import {isImageSource} from '../../reference/image-source.js'

/** Throws `usage` for an invalid `--default-source`. */
export function checkedSource(source: string): string {
  if (isImageSource(source)) return source
  throw new CrossplaneError('usage', `invalid --default-source ${quoted(source)}`, {
    suggestions: ['Write a host, with or without a port and a path: registry.example.org:5000/team.'],
  })
}
