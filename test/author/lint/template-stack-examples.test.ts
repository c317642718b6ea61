import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'
import {lintPackage} from '../../../src/author/lint/lint-package.js'
import {readPackage} from '../../../src/unpack/read-package.js'
import {registryFilesIn} from '../../corpus.js'

const ROOT = 'examples/template-stacks'
const names = readdirSync(ROOT).filter(name => !name.endsWith('.md'))

describe('the examples of template stacks', () => {
  it('are those of the design', () => {
    expect(names.sort()).toEqual(['caching-web-service', 'foo', 'hello-world', 'merged-labels', 'plus-one'])
  })

  it.each(names)('%s has no problems', name => {
    const files = registryFilesIn(join(ROOT, name, '.registry'))
    expect(lintPackage({files})).toEqual([])
    expect(readPackage(name, files).behavior?.engine.type).toBe('gotemplate')
  })
})
