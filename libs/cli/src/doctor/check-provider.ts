// Checks that the private and the public catalogue of the provider can be loaded. The wallet works if it can
// load at least one of the two catalogues.
import { tryCatalogue } from '@counterfoil/wallet-server/operating';
import { type Finding, ok, problem, warning } from './finding.ts';

const check = 'provider';
const hint = 'docs/reference/provider.md describes the answer.';
type Upstream = Parameters<typeof tryCatalogue>[0];

const reasons: Record<string, string> = {
  unreachable: 'the address does not answer',
  timeout: 'the answer took too long',
  redirected: 'the answer is a redirect',
  not_authorised: 'PROVIDER_API_TOKEN is not accepted',
  wrong_status: 'the answer is an error',
  too_large: 'the list is too large',
  not_json: 'the list is not JSON',
  wrong_shape: 'the list is not in the format of docs/reference/provider.md',
};

export async function checkProvider(
  upstream: Upstream,
  { isStandIn, walletRuns }: { isStandIn: boolean; walletRuns: boolean },
): Promise<Finding[]> {
  if (isStandIn && !walletRuns) {
    return [ok(check, 'the stand-in; counterfoil start runs it')];
  }
  const tries = await Promise.all(
    (['private', 'public'] as const).map(async (source) => ({
      source,
      found: await tryCatalogue(upstream, source),
    })),
  );
  const fails = tries.filter(({ found }) => 'failure' in found).length;
  return tries.map(({ source, found }) => {
    const setting = source === 'private' ? 'PROVIDER_PRIVATE_URL' : 'PROVIDER_PUBLIC_URL';
    if ('games' in found) return evaluateGames(source, found.games);
    const says = `the ${source} catalogue cannot be loaded: ${reasons[found.failure] ?? found.failure}`;
    const advice = `Check ${setting}, the network and the provider; ${hint}`;
    return fails === tries.length ? problem(check, says, advice) : warning(check, says, advice);
  });
}

function evaluateGames(source: string, games: number): Finding {
  if (games > 0) return ok(check, `the ${source} catalogue lists ${games} games`);
  return warning(check, `the ${source} catalogue is empty`, 'Ask the provider for its games.');
}
