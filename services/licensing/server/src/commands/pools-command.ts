// `pools …`: lists pools of codes, creates them, generates and imports codes, and exports or withdraws free codes.
import { parseId } from '@counterfoil/kit/http/parameters';
import { isPrintable } from '@counterfoil/kit/http/text';
import { formatMinor } from '@counterfoil/kit/money';
import type { PageOptions } from '@counterfoil/kit/process/command-line/page-options';
import { printRows, printSentence } from '@counterfoil/kit/process/command-line/print';
import { CommandRefused } from '@counterfoil/kit/process/plain-error';
import { openProgress } from '@counterfoil/kit/process/progress';
import { type Command, Option } from 'commander';
import { createPool } from '../pools/create-pool.ts';
import { exportCodes, poolExportColumns } from '../pools/export-codes.ts';
import { maxFreeCodes, presentPool } from '../pools/pool.ts';
import { listPools } from '../pools/queries.ts';
import { refillPool } from '../pools/refill-pool.ts';
import { withdrawPool } from '../pools/withdraw-pool.ts';
import { type LicenseType, licenseTypes } from '../purchases/purchase.ts';
import { writeRows } from '../transfer/write-rows.ts';
import { presentNext, readPage } from '../wire/paging.ts';
import {
  addWorkspaceCommand,
  addWorkspaceList,
  type CommandTools,
  type OfWorkspace,
  runInWorkspace,
  type Tools,
} from './tools.ts';
