// A provider with 5,000 games, for measurements of the catalogue.
import { createServer } from 'node:http';

const categories = ['slots', 'table', 'live', 'instant', 'bingo'];
const games = Array.from({ length: 5000 }, (_, number) => ({
  id: `game-${String(number).padStart(5, '0')}`,
  name: `The game with the number ${number}`,
  provider: `Studio ${number % 40}`,
  category: categories[number % categories.length],
  image: `https://pictures.example/${number}/square.svg`,
  images: {
    square: `https://pictures.example/${number}/square.svg`,
    wide: `https://pictures.example/${number}/wide.svg`,
  },
  rtp: 90 + (number % 80) / 10,
  volatility: ['low', 'medium', 'high'][number % 3],
  has_demo: number % 4 !== 0,
  platforms: ['desktop', 'mobile'],
  status: 'active',
}));
const body = JSON.stringify({ updated_at: '2026-01-01T00:00:00Z', games });

const server = createServer((request, response) => {
  request.resume();
  const isList = request.url?.endsWith('/v1/games');
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(isList ? body : '{"registered_at":"2026-01-01T00:00:00Z"}');
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send?.({ ready: true }));
process.once('SIGTERM', () => process.exit(0));
