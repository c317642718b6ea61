import {expect} from '@jest/globals'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

const FOLDER = join(import.meta.dirname, 'testdata/golden')

/** Compares with a file of test/testdata/golden, which UPDATE_GOLDEN=1 writes instead: read the diff before keeping it. */
export function expectGolden(name: string, text: string): void {
  const file = join(FOLDER, name)
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text)
  expect(text).toBe(readFileSync(file, 'utf8'))
}
