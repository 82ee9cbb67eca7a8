// A page without navigation: a card in the middle of the screen.
import { Box, Center, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { usePanel } from '../panel.ts';
import { Hint } from '../parts/page.tsx';
import { Brand } from '../shell/brand.tsx';

export function BarePage(props: { title: string; text?: ReactNode; children: ReactNode }) {
  const panel = usePanel();
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={400} gap="lg">
        <Center>
          <Brand name={panel.name} />
        </Center>
        <Box className="cf-surface" p={{ base: 'lg', xs: 'xl' }}>
          <Stack gap="md">
            <Stack gap={4}>
              <Title order={1} size="h4">
                {props.title}
              </Title>
              {props.text && (
                <Hint size="sm" className="cf-break">
                  {props.text}
                </Hint>
              )}
            </Stack>
            <hr className="cf-perforation" />
            {props.children}
          </Stack>
        </Box>
      </Stack>
    </Center>
  );
}
