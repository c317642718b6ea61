// Writes docs/checks.md from the table of checks.
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {checksPage} from './checks-page.js'

writeFileSync(join(import.meta.dirname, '../../docs/checks.md'), checksPage())
