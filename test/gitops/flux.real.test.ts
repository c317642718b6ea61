import {describeReconciled} from './describe-reconciled.js'
import {flux} from './flux.js'

describeReconciled(flux)
