// Whether the provider's two catalogues can be had; the wallet plays from either, and from none.
import { tryCatalogue } from '@counterfoil/wallet-server/operating';
import { type Finding, ok, problem, warning } from './finding.ts';

const check = 'provider';
type Upstream = Parameters<typeof tryCatalogue>[0];

const reasons: Record<string, string> = {
  unreachable: 'nobody answers there',
  timeout: 'it took too long',
  redirected: 'it points elsewhere',
  not_authorised: 'it does not take PROVIDER_API_TOKEN',
  wrong_status: 'it answers with an error',
  too_large: 'its list is too large',
  not_json: 'its list is no JSON',
  wrong_shape: 'its list is not as docs/reference/provider.md says',
};

export async function checkProvider(
  upstream: Upstream,
  { isStandIn, walletRuns }: { isStandIn: boolean; walletRuns: boolean },
): Promise<Finding[]> {
  if (isStandIn && !walletRuns) {
    return [ok(check, 'the stand-in; it runs when counterfoil start does')];
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
    const says = `the ${source} catalogue can not be had: ${reasons[found.failure] ?? found.failure}`;
    const advice =
      `Look at ${setting}, the network and the provider; ` +
      'docs/reference/provider.md says what it must answer.';
    return fails === tries.length ? problem(check, says, advice) : warning(check, says, advice);
  });
}

function evaluateGames(source: string, games: number): Finding {
  if (games > 0) return ok(check, `the ${source} catalogue lists ${games} games`);
  return warning(check, `the ${source} catalogue is empty`, 'Ask the provider for its games.');
}
