// Runs every campaign of this folder with its short number of rounds: a *.soak.ts file declares its suites when it is
// imported. `npm run soak` runs the same files for minutes.
import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, it} from '@jest/globals'

const campaigns = readdirSync(import.meta.dirname).filter(name => name.endsWith('.soak.ts'))

describe('the soak campaigns', () => {
  it('are found', () => expect(campaigns).not.toEqual([]))
})

for (const name of campaigns) await import(join(import.meta.dirname, name))
