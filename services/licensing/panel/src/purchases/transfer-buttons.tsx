// The buttons that import and export purchases.
import { LinkButton } from '@counterfoil/ui/parts/links.tsx';
import { useTenant } from '@counterfoil/ui/tenant.ts';
import { Button, Menu } from '@mantine/core';
import { Download, Upload } from 'lucide-react';
import { paths } from '../paths.ts';
import { words } from '../strings.ts';

const text = words.purchases;

export function TransferButtons() {
  const { base, to, isOwner } = useTenant();
  const file = (query: string) => ({
    component: 'a' as const,
    href: `${base}/purchases/export?${query}`,
    download: true,
  });
  return (
    <>
      <LinkButton
        to={to(paths.importPurchases)}
        variant="default"
        leftSection={<Upload size={16} aria-hidden />}
      >
        {text.import}
      </LinkButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<Download size={16} aria-hidden />}>
            {text.export}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item {...file('format=csv')}>{text.exportMasked}</Menu.Item>
          <Menu.Item {...file('format=ndjson')}>{text.exportJson}</Menu.Item>
          {isOwner && <Menu.Item {...file('format=csv&with_codes=true')}>{text.exportCodes}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
