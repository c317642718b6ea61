// Writes docs/status.md from the table of breaks.
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {statusPage} from './status-page.js'

writeFileSync(join(import.meta.dirname, '../../docs/status.md'), statusPage())
