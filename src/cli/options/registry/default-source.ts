import {CrossplaneError} from '../../../errors.js'
import {isImageSource} from '../../../reference/image-source.js'

/** Throws `usage` for what cannot be `--default-source`. */
export function checkedSource(source: string): string {
  if (isImageSource(source)) return source
  throw new CrossplaneError('usage', `--default-source ${JSON.stringify(source)} is no registry`, {
    suggestions: ['Write a host, with or without a port and a path: registry.example.org:5000/team.'],
  })
}
