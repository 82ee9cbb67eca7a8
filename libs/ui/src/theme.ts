// The theme of both panels: its colours and defaults, light and dark.
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { words } from './strings.ts';

const pine: MantineColorsTuple = [
  '#eef9f4',
  '#d9f0e5',
  '#b3e0cb',
  '#84cbac',
  '#53b18a',
  '#2f956d',
  '#18704f',
  '#156347',
  '#114e38',
  '#0c3828',
];

/** Dimmed text has the colour `gray[6]`, which has enough contrast on the page. */
const gray: MantineColorsTuple = [
  '#f8f9f7',
  '#f1f3f0',
  '#e6e9e5',
  '#d8dcd7',
  '#c2c9c3',
  '#98a29b',
  '#59645e',
  '#454e49',
  '#2f3632',
  '#1b201d',
];

const dark: MantineColorsTuple = [
  '#e6e9e7',
  '#c8cecb',
  '#a5ada9',
  '#7f8783',
  '#454c49',
  '#343a37',
  '#262b29',
  '#1b1f1d',
  '#151817',
  '#0e1110',
];

/** The colour of warnings. Mantine's orange has too little contrast. */
const amber: MantineColorsTuple = [
  '#fff8ea',
  '#fdecc6',
  '#fadb98',
  '#f6c663',
  '#f2b33b',
  '#e09a17',
  '#b5730b',
  '#8d5708',
  '#6d4308',
  '#4e3007',
];

/** Sets CSS variables of the theme. Placeholders get the contrast of dimmed text. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  // A red with enough contrast for error texts.
  light: { '--mantine-color-placeholder': gray[6], '--mantine-color-error': '#c92a2a' },
  dark: {
    '--mantine-color-error': '#ff8787',
    '--mantine-color-placeholder': dark[2],
    // Tints that differ visibly from the dark background.
    '--mantine-color-pine-light': '#14362a',
    '--mantine-color-pine-light-hover': '#194233',
    '--mantine-color-amber-light': '#3b2a10',
    '--mantine-color-gray-light': '#303734',
    '--mantine-color-red-light': '#431f20',
  },
});

const system =
  'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: 6,
  colors: { pine, gray, dark, amber },
  fontFamily: system,
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontFamily: system, fontWeight: '620' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { variant: 'light', tt: 'none', fw: 550, radius: 'sm' } },
    Alert: { defaultProps: { variant: 'light' } },
    CloseButton: { defaultProps: { 'aria-label': words.close } },
    // Fields have no asterisks, because most of them are required.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // A title may contain a key, which has no spaces to break at.
    Modal: { styles: { title: { overflowWrap: 'anywhere' } } },
    // By default, Mantine adds a hidden element to each menu, which gets the focus first. Screen readers
    // expect only entries in a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  },
});
