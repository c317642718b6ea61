// Writes docs/lint from the table of rules, and removes pages of rules that are gone.
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {rulePages} from './rule-pages.js'

const folder = join(import.meta.dirname, '../../docs/lint')
rmSync(folder, {recursive: true, force: true})
mkdirSync(folder, {recursive: true})
for (const [name, text] of rulePages()) writeFileSync(join(folder, name), text)
