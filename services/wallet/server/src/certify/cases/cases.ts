// The cases of each dialect, in the order in which they run.
import type { DialectName } from '../../connections/dialects/dialect.ts';
import type { CaseGroup, CertificationCase } from '../certification-case.ts';
import { moneyCases } from './money.ts';
import { orderGroups } from './order.ts';
import { hub88Cases, slotegratorCases, softswissCases, valkyrieCases } from './own-rules.ts';
import { playerGroups } from './players.ts';
import { repeatCases } from './repeats.ts';
import { requestGroups } from './requests.ts';

const groups: readonly CaseGroup[] = [
  { cases: moneyCases },
  { cases: repeatCases },
  ...orderGroups,
  // The type casts are safe, because `listCases` runs these cases only with the speaker of their dialect.
  { dialects: ['softswiss'], cases: softswissCases as readonly CertificationCase[] },
  { dialects: ['hub88'], cases: hub88Cases },
  { dialects: ['slotegrator'], cases: slotegratorCases as readonly CertificationCase[] },
  { dialects: ['valkyrie'], cases: valkyrieCases as readonly CertificationCase[] },
  ...requestGroups,
  ...playerGroups,
];

export const listCases = (dialect: DialectName): CertificationCase[] =>
  groups.flatMap(({ dialects, cases }) => (!dialects || dialects.includes(dialect) ? cases : []));
