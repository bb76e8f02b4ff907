# The image of watcher and worker. The agent's is built by itself, see docs/agent.md.
FROM maven:3.9-eclipse-temurin-25 AS build
WORKDIR /src
COPY . .
RUN mvn -B -ntp -DskipTests package

FROM eclipse-temurin:25-jre
COPY --from=build /src/cli/target/reprise-cli.jar /opt/reprise/
COPY --from=build /src/cli/target/lib /opt/reprise/lib
USER 65532:65532
WORKDIR /tmp
ENTRYPOINT ["java", "-XX:+UseSerialGC", "-XX:MaxRAMPercentage=60", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow", \
  "-cp", "/opt/reprise/reprise-cli.jar:/opt/reprise/lib/*", "dev.reprise.cli.Main"]
