import type { ComponentChildren } from 'preact';

const Icon = ({ children, size = 20 }: { children: ComponentChildren; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
);

export const Plug = () => (
  <Icon size={24}>
    <path d="M9 2v5M15 2v5M6 7h12v4a6 6 0 0 1-12 0zM12 17v5" />
  </Icon>
);

export const Check = () => (
  <Icon size={16}>
    <path d="M4 12.5l5.5 5.5L20 7" />
  </Icon>
);

export const Cross = () => (
  <Icon size={16}>
    <path d="M5 5l14 14M19 5L5 19" />
  </Icon>
);
