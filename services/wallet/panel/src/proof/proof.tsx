// The proof of the package's ledger.
import { PageHeader } from '@counterfoil/ui/parts/page-header.tsx';
import { usePackage } from '../package.ts';
import { words } from '../strings.ts';
import { ProofView } from './proof-view.tsx';

export default function ProofPage() {
  const { base } = usePackage();
  return (
    <>
      <PageHeader title={words.pages.proof} text={words.proof.text} />
      <ProofView path={`${base}/proof`} />
    </>
  );
}
