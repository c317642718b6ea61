import {describe, expect, it} from '@jest/globals'
import {readFileSync} from 'node:fs'
import * as plugin from '../src/plugin.js'

describe('the entry point for plugins', () => {
  it('exports these names', () => {
    expect(Object.keys(plugin).sort()).toEqual([
      'CrossplaneError',
      'FOUND',
      'argument',
      'asObject',
      'asObjects',
      'asText',
      'clusterFlags',
      'commandLine',
      'commonFlags',
      'connectReader',
      'drawTree',
      'formatDocument',
      'formatObject',
      'formatTable',
      'isJsonArray',
      'isJsonObject',
      'lines',
      'listOutputFlag',
      'listSome',
      'locatePackage',
      'mapConcurrent',
      'nearest',
      'objectOutputFlag',
      'packageFlags',
      'packagePorts',
      'painter',
      'parsePackageReference',
      'plainText',
      'progress',
      'pullFlags',
      'quoted',
      'readPackage',
      'reportOutputFlag',
      'shellWord',
      'show',
      'showList',
      'showNotes',
      'showWarnings',
      'withSuggestions',
    ])
  })

  it('documents each export', () => {
    const blocks = readFileSync('src/plugin.ts', 'utf8').split(/\n(?=\/\*\*)/)
    expect(blocks.filter(block => /^export/m.test(block) && !block.startsWith('/**'))).toEqual([])
  })
})
